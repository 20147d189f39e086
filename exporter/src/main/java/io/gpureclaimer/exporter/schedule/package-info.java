/** The conductor: the sampling job and the factories that wire the rooms; no logic. */
@NullMarked
package io.gpureclaimer.exporter.schedule;

import org.jspecify.annotations.NullMarked;
