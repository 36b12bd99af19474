#include "formats/nvidia_smi.h"

#include <gtest/gtest.h>

#include "formats/testing/sample_log.h"

namespace etiage::formats {
namespace {

constexpr std::int64_t k0900 = 1'784'019'644'000;  // 2026-07-14T09:00:44Z

TEST(NvidiaSmi, TellsItsFormsApart) {
  EXPECT_EQ(smi_form("GPU 0: NVIDIA L40S (UUID: GPU-1)\n"), SmiForm::kList);
  EXPECT_EQ(smi_form("# gpu    pwr  gtemp\n# Idx      W\n    0    631\n"), SmiForm::kMonitor);
  EXPECT_EQ(smi_form("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV18\t0-51\n"), SmiForm::kTopology);
}

TEST(NvidiaSmi, ListsCardsAndTheirInstances) {
  EXPECT_EQ(smi_devices("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-a)\n"
                        "  MIG 3g.40gb     Device  0: (UUID: MIG-b)\n"
                        "  MIG 1g.10gb     Device  1: (UUID: MIG-c)\n"
                        "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-d)\n"),
            (std::vector<SmiDevice>{{.uuid = "GPU-a",
                                     .name = "NVIDIA H100 80GB HBM3",
                                     .instances = {{"0", "3g.40gb"}, {"1", "1g.10gb"}}},
                                    {.uuid = "GPU-d", .name = "NVIDIA H100 80GB HBM3"}}));
}

TEST(NvidiaSmi, ReadsTheTable) {
  const char* text =
      "Tue Jul 14 09:00:44 2026       \n"
      "+---+---+---+\n"
      "| NVIDIA-SMI 590.48.01              Driver Version: 590.48.01      CUDA Version: 13.1     |\n"
      "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n"
      "|   0  NVIDIA L40S                    Off |   00000000:01:00.0 Off |                    0 |\n"
      "| N/A   54C    P0            110W /  350W |    1235MiB /  46068MiB |      9%      Default |\n"
      "|   1  NVIDIA H100 80GB HBM3          On  |   00000000:00:09.0 Off |                   On |\n"
      "| N/A   52C    P0            432W /  700W |   11125MiB /  81559MiB |     N/A      Default |\n"
      "| MIG devices:                                                                            |\n"
      "|  1    2   0   0  |           11091MiB / 40448MiB    | 60      0 |  3   0    3    0    3 |\n"
      "| Processes:                                                                              |\n"
      "|    0   N/A  N/A           20037      C   ffmpeg                                  538MiB |\n";
  EXPECT_EQ(smi_devices(text),
            (std::vector<SmiDevice>{
                {.uuid = "00000000:01:00.0", .name = "NVIDIA L40S", .utilization = 0.09, .ms = k0900},
                {.uuid = "00000000:00:09.0",
                 .name = "NVIDIA H100 80GB HBM3",
                 .ms = k0900,
                 .instances = {{"2", "", 40448, 60}}}}));
}

TEST(NvidiaSmi, ReadsXmlAndTheSameAsText) {
  const std::vector<SmiDevice> expected{{.uuid = "GPU-a",
                                         .name = "NVIDIA A100-SXM4-40GB",
                                         .utilization = 0.37,
                                         .ms = k0900,
                                         .instances = {{"7", "", 4864, 14}}}};
  EXPECT_EQ(
      smi_devices(
          "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<timestamp>Tue Jul 14 09:00:44 2026</timestamp>\n"
          "<attached_gpus>1</attached_gpus><gpu id=\"00000000:31:00.0\">\n"
          "<product_name>NVIDIA A100-SXM4-40GB</product_name>\n<mig_devices><mig_device>\n"
          "<gpu_instance_id>7</gpu_instance_id><multiprocessor_count>14</"
          "multiprocessor_count><fb_memory_usage><total>4864 MiB</total>\n"
          "</fb_memory_usage></mig_device></mig_devices><uuid>GPU-a</uuid>\n"
          "<utilization><gpu_util>37 %</gpu_util></utilization></gpu></nvidia_smi_log>\n"),
      expected);
  EXPECT_EQ(
      smi_devices(
          "==============NVSMI LOG==============\n\nTimestamp           : Tue Jul 14 09:00:44 2026\n"
          "Attached GPUs       : 1\nGPU 00000000:00:09.0\n    Product Name     : NVIDIA A100-SXM4-40GB\n"
          "    MIG Device\n        Index        : 0\n        GPU Instance ID  : 7\n"
          "        Device Attributes\n                Multiprocessor count : 14\n"
          "        Shared FB Memory Usage\n            Total        : 4864 MiB\n"
          "        Shared BAR1 Memory\n            Total        : 6184 MiB\n"
          "    GPU UUID         : GPU-a\n    Utilization\n        Gpu          : 37 %\n"),
      expected);
}

TEST(NvidiaSmi, ReadsRepeatedCsvAsSamples) {
  SampleLog log({});
  const ReadReport report = read_nvidia_smi(
      "timestamp, name, uuid, utilization.gpu [%]\n"
      "2026/07/14 09:00:44.000, NVIDIA L4, GPU-a, 5 %\n"
      "2026/07/14 09:00:59.000, NVIDIA L4, GPU-a, 7 %\n",
      "n1", 0, log);
  EXPECT_EQ(report.samples, 4u);
  EXPECT_TRUE(report.timed);
  EXPECT_EQ(report.first_ms, k0900);
  EXPECT_EQ(report.last_ms, k0900 + 15'000);
}

TEST(NvidiaSmi, CsvOfProcessesShowsEachDeviceOnce) {
  const auto devices = smi_devices(
      "timestamp, gpu_name, gpu_bus_id, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"
      "2026/07/14 09:00:44.000, NVIDIA L4, 00000000:00:09.0, GPU-a, 1, /bin/a, 2296 MiB\n"
      "2026/07/14 09:00:44.000, NVIDIA L4, 00000000:00:09.0, GPU-a, 2, /bin/b, 1272 MiB\n");
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].uuid, "GPU-a");
}

TEST(NvidiaSmi, CutTextsGiveWhatIsThere) {
  for (const char* text :
       {"", "<nvidia_smi_log><gpu ", "<nvidia_smi_log><gpu id=\"1\"><uuid>GPU-a",
        "GPU 0: x (UUID: ", "| NVIDIA-SMI |\n|   0  ", "NVSMI LOG\nGPU 1\n    MIG Device", "a, uuid\n, "})
    EXPECT_LE(smi_devices(text).size(), 1u) << text;
}

}  // namespace
}  // namespace etiage::formats
