#include "cli/main.h"

int main(int argc, char** argv) {
  return etiage::cli::run(argc, argv);
}
