/**
 * Collectors that ask the driver for one number and tell it: tables of questions, and the few that
 * are none.
 */
@NullMarked
package io.gpureclaimer.exporter.collect.fields;

import org.jspecify.annotations.NullMarked;
