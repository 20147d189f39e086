/** What the API server tells of the pods on this node: their uids, and which have ended. */
@NullMarked
package io.gpureclaimer.exporter.attribution.kubernetes;

import org.jspecify.annotations.NullMarked;
