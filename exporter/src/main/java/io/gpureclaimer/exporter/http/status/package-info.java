/** The page for people: what the last pass saw, who holds what, and what is not served and why. */
@NullMarked
package io.gpureclaimer.exporter.http.status;

import org.jspecify.annotations.NullMarked;
