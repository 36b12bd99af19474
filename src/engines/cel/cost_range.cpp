// Arithmetic of cost ranges, and paths.

#include <algorithm>
#include <cmath>

#include "engines/cel/cost_estimate.h"

namespace etiage::cel {
namespace {

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}
std::uint64_t scale(std::uint64_t n, double factor) {
  const auto x = static_cast<double>(n);
  if (x > 0 && factor > 0 && x > 18446744073709551615.0 / factor) return UINT64_MAX;
  const double scaled = std::ceil(x * factor);
  return scaled >= 18446744073709551616.0 ? UINT64_MAX : static_cast<std::uint64_t>(scaled);
}

}  // namespace

Range Range::operator+(Range o) const {
  return {add(min, o.min), add(max, o.max)};
}
Range Range::operator*(Range o) const {
  return {multiply(min, o.min), multiply(max, o.max)};
}
Range Range::scaled(double factor) const {
  return {scale(min, factor), scale(max, factor)};
}
Range Range::united(Range o) const {
  return {std::min(min, o.min), std::max(max, o.max)};
}

Path Path::root(std::string name) {
  Path p;
  p.cells_ = std::make_shared<std::vector<std::string>>(1, std::move(name));
  p.length_ = 1;
  return p;
}

Path Path::with(std::string step) const {
  Path p = *this;
  const std::size_t capacity = cells_ ? cells_->size() : 0;
  if (length_ == capacity) {
    auto grown = std::make_shared<std::vector<std::string>>(std::max<std::size_t>(1, 2 * capacity));
    if (cells_) std::copy(cells_->begin(), cells_->end(), grown->begin());
    p.cells_ = std::move(grown);
  }
  (*p.cells_)[length_] = std::move(step);
  ++p.length_;
  return p;
}

}  // namespace etiage::cel
