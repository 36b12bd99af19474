#pragma once
// Labels of objects as kube-state-metrics exports them: `label_nvidia_com_gpu_count`.

#include "evidence/series_store.h"
#include "model/meta.h"

namespace etiage::evidence {

/// Every character of a key that is no letter or digit became `_`, which cannot be undone in general: the
/// keys that matter are looked up, others stay as they are written.
LabelMap kube_labels(const Series& series);

}  // namespace etiage::evidence
