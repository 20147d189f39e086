/** The activity source that needs no Prometheus: it scrapes the agents itself. */
@NullMarked
package io.gpureclaimer.reclaimer.direct;

import org.jspecify.annotations.NullMarked;
