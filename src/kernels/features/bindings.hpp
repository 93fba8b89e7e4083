#pragma once

#include <nanobind/nanobind.h>

namespace ibidem {

void bind_features(nanobind::module_& m);

}  // namespace ibidem
