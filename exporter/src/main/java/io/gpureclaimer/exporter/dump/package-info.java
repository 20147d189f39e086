/** What was served, kept in files for a while: for whoever looks for a mistake. */
@NullMarked
package io.gpureclaimer.exporter.dump;

import org.jspecify.annotations.NullMarked;
