#pragma once
// What the page of a window, the page of a single scrape and the JSON of both share.

#include "render/scan.h"

namespace etiage::render {

bool several_clusters(const Evidence& evidence);

/// Why a model has tokens and no money; empty where it has.
std::string no_money(const Scan& scan, const ledger::ModelRow& model);

/// `chat/llama-70b`, with the cluster in front where there are several.
std::string name_of(const Scan& scan, const PodLife& pod);

/// What nobody's price list says is said here: how many nodes, how many of them without a price.
std::string priced_nodes(const Scan& scan);

Table model_table(const Scan& scan);
Table quality_table(const Scan& scan);

/// The page of a single scrape: what each device is doing, who is on it, what it costs an hour.
std::vector<Table> state_tables(const Scan& scan);

}  // namespace etiage::render
