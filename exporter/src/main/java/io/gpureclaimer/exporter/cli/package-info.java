/** The command line: flags and environment variables to properties. */
@NullMarked
package io.gpureclaimer.exporter.cli;

import org.jspecify.annotations.NullMarked;
