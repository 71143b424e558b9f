// What the JSON library says of a mistake, in this program's words.
#pragma once

#include <string>
#include <string_view>

namespace knead {

// "[json.exception.parse_error.101] parse error at line 1, column 4: syntax error while parsing value - invalid
// literal; last read: 'nul'" becomes "line 1, column 4: not a JSON value: 'nul'", and "[…] key 'do' not found" "'do' is
// missing".
std::string json_words(std::string_view said);

}  // namespace knead
