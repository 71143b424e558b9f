// Keeps a second run out of a run folder while one writes there.
#pragma once

#include "output/run_folder.h"

namespace knead {

// Holds the folder's lock as long as it lives; a process that dies lets go too. Fails (bad_input) where another process
// has it. Where the file system knows no locks, or the file cannot be made, it holds nothing.
class FolderLock {
 public:
  explicit FolderLock(const RunFolder&);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

// Whether the process that has left its number in the folder's lock is gone without having taken the lock away: it was
// killed. To be asked on the machine of that process only; false where it cannot be told.
bool owner_is_gone(const RunFolder&);

}  // namespace knead
