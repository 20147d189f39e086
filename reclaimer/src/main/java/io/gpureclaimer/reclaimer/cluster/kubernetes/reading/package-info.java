/** What the API server sends, read into the reclaimer's own records; pure. */
@NullMarked
package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import org.jspecify.annotations.NullMarked;
