#include "app/place.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace etiage::app {
namespace {

namespace fs = std::filesystem;

fs::path openb() {
  const char* data = std::getenv("ETIAGE_DATA");
  return fs::path(data ? data : std::string(ETIAGE_SOURCE_DIR) + "/../shared/data") / "openb";
}

fs::path write(const std::string& name, const std::string& text) {
  const fs::path path = fs::path(testing::TempDir()) / name;
  std::ofstream(path) << text;
  return path;
}

TEST(Place, AnswersOnASmallTrace) {
  const auto nodes =
      write("place_nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\na,8000,1000,2,T4\nb,8000,1000,0,\n");
  const auto pods = write(
      "place_pods.csv",
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\np,1000,10,1,500,\nq,1000,10,1,500,T4|P100\n"
      "r,1000,10,1,1000,P100\ns,1000,10,1,1000,\n");
  const auto answer = place({.nodes = nodes, .pods = pods, .policy = "best-fit", .report_at = {150, 150}});
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->replayed->failed, 1u) << "nobody has a P100";
  EXPECT_EQ(answer->milli_gpu, 2000);
  EXPECT_EQ(answer->replayed->curve.allocation_percent, (std::vector<std::optional<double>>{100.0}));
}

TEST(Place, SaysWhatIsWrong) {
  const auto nodes = write("bad_nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\na,many,1000,2,T4\n");
  const auto answer = place({.nodes = nodes, .pods = nodes});
  ASSERT_FALSE(answer);
  EXPECT_THAT(to_string(answer.error()), testing::HasSubstr("bad_nodes.csv:2"));
  EXPECT_FALSE(place({.nodes = nodes, .pods = nodes, .policy = "magic"}));
  EXPECT_FALSE(parse_loads("130..0"));
}

TEST(Place, RefusesWhatCannotRun) {
  const auto nodes = write("placed_nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\na,8000,1000,2,T4\n");
  const auto pods = write("placed_pods.csv",
                          "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1000,10,1,600\nq,1000,10,1,600\n");
  const auto fault = [&](const std::string& rows) {
    const auto placed = write("placed.csv", "name,node,devices\n" + rows);
    const auto answer = place({.nodes = nodes, .pods = pods, .placed = placed});
    return answer ? std::string() : to_string(answer.error());
  };
  EXPECT_EQ(fault("p,a,0\nq,a,1\n"), "");
  EXPECT_EQ(fault("p,a,\nq,a,\n"), "");
  EXPECT_THAT(fault("p,a,0\nq,a,0\n"), testing::HasSubstr("placed.csv:3: device 0 has no room for it"));
  EXPECT_THAT(fault("p,a,0+1\n"), testing::HasSubstr("2 devices for a pod of 1"));
  EXPECT_THAT(fault("p,a,9\n"), testing::HasSubstr("'9' is not a device from 0 to 7"));
  EXPECT_THAT(fault("p,b,0\n"), testing::HasSubstr("no node 'b'"));
  EXPECT_THAT(fault("p,a,0\np,a,1\n"), testing::HasSubstr("no pod 'p' is left"));
}

TEST(Place, RepacksTheEndOfAReplay) {
  const auto nodes =
      write("repack_nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\na,8000,1000,1,T4\nb,8000,1000,1,T4\n");
  // 400 + 300 on the one, 600 on the other: 700 are free, and 600 do not fit until the 300 have moved.
  const auto pods = write("repack_pods.csv",
                          "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1000,10,1,400\nq,1000,10,1,300\n"
                          "r,1000,10,1,600\ns,1000,10,1,600\n");
  const auto answer = place({.nodes = nodes,
                             .pods = pods,
                             .policy = "best-fit",
                             .report_at = {100, 100},
                             .repack = RepackQuestion{.gpu_hourly = parse_price("3")}});
  ASSERT_TRUE(answer) << to_string(answer.error());
  ASSERT_TRUE(answer->repack);
  EXPECT_EQ(answer->replayed->failed, 1u);
  EXPECT_EQ(answer->repack->without_place, 0u);
  ASSERT_EQ(answer->repack->moves, 1);
  EXPECT_EQ(answer->repack->steps.front().pod, "q");
  EXPECT_EQ(to_string(*answer->repack->cost), "0.03") << "300 milli for two minutes at 3 an hour";
}

struct PublishedRun {
  const char *workload, *policy, *seed;
  double allocated;  ///< published, at 130 %
};

TEST(Place, ReproducesPublishedRuns) {
  if (!fs::exists(openb())) GTEST_SKIP() << openb() << " is not there";
  const fs::path folder = fs::path(testing::TempDir()) / "openb_orders";
  fs::create_directories(folder);
  const std::string unpack =
      "tar xzf " + (openb() / "order_default.tar.gz").string() + " -C " + folder.string();
  ASSERT_EQ(std::system(unpack.c_str()), 0);
  for (const PublishedRun& run :
       {PublishedRun{"default", "fgd", "42", 95.29}, PublishedRun{"default", "best-fit", "42", 93.13},
        PublishedRun{"default", "dot-product", "42", 90.54},
        PublishedRun{"default", "gpu-packing", "42", 91.57},
        PublishedRun{"default", "gpu-clustering", "42", 91.53}}) {
    const std::string name = std::string("openb_pod_list_") + run.workload;
    const auto answer = place({.nodes = openb() / "openb_node_list_gpu_node.csv",
                               .pods = openb() / (name + ".csv"),
                               .order = folder / (name + "." + run.seed + ".order"),
                               .node_rank = folder / (name + "." + run.seed + ".nodes"),
                               .policy = run.policy,
                               .report_at = {130, 130}});
    ASSERT_TRUE(answer) << to_string(answer.error());
    EXPECT_EQ(answer->replayed->curve.allocation_percent.front(), run.allocated) << run.policy;
  }
}

}  // namespace
}  // namespace etiage::app
