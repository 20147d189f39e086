/** What the reclaimer tells over HTTP: health, metrics and the newest report. Reads, never acts. */
@NullMarked
package io.gpureclaimer.reclaimer.http;

import org.jspecify.annotations.NullMarked;
