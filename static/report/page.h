/*
 * The files of the HTML report as strings, made by embed.cmake.
 */
#ifndef RACE_REPORT_PAGE_H
#define RACE_REPORT_PAGE_H

extern const char page_html[], page_css[], page_js[];

#endif
