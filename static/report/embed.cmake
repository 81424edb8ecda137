# Turns the page's files into C arrays: page_html, page_css, page_js, each ending in a NUL.
set(text "/* Generated from page.html, page.css and page.js. */\n#include \"page.h\"\n")
foreach(name html css js)
  file(READ ${DIR}/page.${name} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
  string(APPEND text "const char page_${name}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
