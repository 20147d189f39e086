/** The label of our Node, as the API server tells it. */
@NullMarked
package io.gpureclaimer.core.nodeconfig.kubernetes;

import org.jspecify.annotations.NullMarked;
