# The page of a find: its frame, style and scripts as a source of the library. The scripts share one
# scope and stand in this order; each says at its head what it uses of the others.
set(page_folder ${PROJECT_SOURCE_DIR}/schism/draw/page)
set(page_source ${PROJECT_BINARY_DIR}/page_files.cpp)
set(page_scripts base model shown diagram rows panel search overview main)
set(page_files ${page_folder}/page.html ${page_folder}/page.css)
foreach(script IN LISTS page_scripts)
  list(APPEND page_files ${page_folder}/${script}.js)
endforeach()
list(JOIN page_scripts " " page_script_names)
add_custom_command(OUTPUT ${page_source}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${page_folder} -DOUT=${page_source}
    "-DSCRIPTS=${page_script_names}" -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${page_files} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake VERBATIM)
