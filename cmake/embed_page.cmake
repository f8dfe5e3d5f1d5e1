# Writes the page's files into a source of the library:
#   cmake -DFOLDER=schism/draw/page -DOUT=page_files.cpp "-DSCRIPTS=base main" -P embed_page.cmake
separate_arguments(SCRIPTS)

function(literal result)
  set(all)
  foreach(name IN LISTS ARGN)
    file(READ ${FOLDER}/${name} text)
    string(FIND "${text}" ")page\"" clash)
    if(NOT clash EQUAL -1)
      message(FATAL_ERROR "${name} holds the end of the literal it is put into")
    endif()
    string(APPEND all "R\"page(${text})page\"\n")
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

literal(frame page.html)
literal(style page.css)
list(TRANSFORM SCRIPTS APPEND .js)
literal(script ${SCRIPTS})
file(WRITE ${OUT} "// Made of schism/draw/page/ by cmake/embed_page.cmake.
#include \"schism/draw/page_files.hpp\"

namespace schism::draw {

const std::string_view kPageFrame = ${frame};
const std::string_view kPageStyle = ${style};
const std::string_view kPageScript = ${script};

}  // namespace schism::draw
")
