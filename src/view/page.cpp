#include "view/page.h"

// The file is put into the program as it is. KNEAD_PAGE is its path.
__asm__(
    ".pushsection .rodata\n"
    ".global knead_page_begin\n"
    ".global knead_page_end\n"
    "knead_page_begin:\n"
    ".incbin \"" KNEAD_PAGE
    "\"\n"
    "knead_page_end:\n"
    ".popsection\n");

extern "C" {
extern const char knead_page_begin[];
extern const char knead_page_end[];
}

namespace knead {

std::string_view viewer_page() { return {knead_page_begin, std::size_t(knead_page_end - knead_page_begin)}; }

}  // namespace knead
