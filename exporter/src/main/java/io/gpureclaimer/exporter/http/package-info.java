/** Serves what exists; never touches a GPU. */
@NullMarked
package io.gpureclaimer.exporter.http;

import org.jspecify.annotations.NullMarked;
