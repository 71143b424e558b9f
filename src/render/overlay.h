// Words over pictures: what is shown, when, and which colour means what.
#pragma once

#include "render/canvas.h"
#include "render/coloring.h"

namespace knead {

// The size of words that suits a picture.
double word_size(int width, int height);
// "t = 0.250 s    frame 7", in the unit that suits the duration of the run.
std::string time_text(double time, double duration, long long frame);

// White words with a dark edge, readable on any picture.
void draw_on_picture(Canvas& canvas, const Vec2d& at, std::string_view words, TextStyle style);
// A bar of colours with ticks, standing in the box; `ink` is the colour of its words.
void draw_legend(Canvas& canvas, const Legend& legend, const Vec2d& corner, double bar_width, double bar_height,
                 Color ink, double text_size);
// How much room its bar, its labels and its title take.
double legend_width(const Legend& legend, double bar_width, double text_size);

}  // namespace knead
