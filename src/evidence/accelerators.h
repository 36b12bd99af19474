#pragma once
// What the resources of device plug-ins count, and what the cards behind them are called: NVIDIA's, and those
// of vendors whose work nobody measures for us.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/evidence.h"
#include "model/node.h"

namespace etiage::evidence {

/// `nvidia_com_mig_1g_10gb`, as kube-state-metrics writes it, back to the resource's name.
std::string resource_of(std::string_view mangled);

/// Whether no machine has so much of the resource, or it is negative: a slip, or a mischief.
bool is_absurd(std::string_view resource, const Quantity& amount);
/// Without what is absurd.
ResourceList sane_amounts(ResourceList list);

/// All devices that these requests ask for, one entry for each resource; none that is absurd.
std::vector<DeviceDemand> device_demands(const ResourceList& requests);

/// Devices that a node declares: those of the resource that counts most of them.
std::int64_t declared_devices(const ResourceList& list);

/// NeuronCores of one Neuron device, where a node declares both; else 1.
int cores_of_device(const ResourceList& list);

/// The product of a node's cards: by its labels, else by its instance type or the vendor of its resources
/// (`Google TPU`); empty where nothing tells.
std::string card_name(const LabelMap& labels, const ResourceList& list);

/// Into how many equal devices AMD's mode (`cpx`, `cpx_nps4`) cuts a card; 1 where it is no such mode.
int amd_parts(std::string_view card, std::string_view mode);
/// `cpx_nps4` of `amd.com/cpx_nps4`; empty for any other resource.
std::string_view amd_mode(std::string_view resource);

/// Whether the name says no more than the vendor, so that any other name is better.
bool names_vendor_only(std::string_view card);

/// What to scrape to learn how busy such a card is, where it is none of NVIDIA's or AMD's; empty where no
/// exporter that we read tells.
std::string exporter_for(std::string_view card);
/// What else there is for such a card, for people to look at: its figures are not read here.
std::string_view unread_exporter(std::string_view card);
/// Whether the card is of neither NVIDIA nor AMD.
bool is_of_other_vendor(std::string_view card);

}  // namespace etiage::evidence
