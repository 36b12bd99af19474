# The tables of data/ become part of the program: data/NAME.csv is generated/tables/NAME.inc, one raw string.
# A change of a table configures anew.

function(etiage_tables)
  file(GLOB tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/*.csv)
  foreach(table ${tables})
    get_filename_component(name ${table} NAME_WE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
    file(READ ${table} text)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/tables/${name}.inc CONTENT "R\"TABLE(${text})TABLE\"\n" @ONLY)
  endforeach()
endfunction()
