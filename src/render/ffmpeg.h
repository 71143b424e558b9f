// Films through the ffmpeg program: raw pictures go into its input, H.264 in MP4 comes out.
#pragma once

#include "output/whole_file.h"
#include "render/image.h"

#include <sys/types.h>
#include <filesystem>

namespace knead {

class FilmWriter {
 public:
  // Fails (not_built) where there is no ffmpeg program.
  FilmWriter(std::filesystem::path path, int width, int height, double fps);
  // Unless keep() succeeded, nothing is left of the film.
  ~FilmWriter();
  FilmWriter(const FilmWriter&) = delete;

  // Fails (file) when ffmpeg stopped, with what it said.
  void add(const Image& image);
  // Ends the film and gives it its name. Fails (file) where it is not whole, whatever ffmpeg's exit status says.
  void keep();

 private:
  void start(int width, int height, double fps);
  int wait_for_end();
  std::string said() const;
  [[noreturn]] void stop(int status);
  [[noreturn]] void stop_writing(int error);

  std::filesystem::path path_, partial_;
  PartialName name_;
  pid_t process_ = -1;
  int input_ = -1;
  int said_ = -1;  // a file without a name that holds what ffmpeg said
};

// Whether an MP4 file has both its pictures and their index, and ends where they do. ffmpeg ends with code 0 even where
// the disk was full, but the boxes that the file consists of (ISO/IEC 14496-12, 4.2) then do not fill it.
bool is_whole_mp4(const std::filesystem::path& path);

}  // namespace knead
