/** Events of the API server. */
@NullMarked
package io.gpureclaimer.core.nodeevents.kubernetes;

import org.jspecify.annotations.NullMarked;
