/** The places in the API server where labels of a node are made known. */
@NullMarked
package io.gpureclaimer.core.labels.kubernetes;

import org.jspecify.annotations.NullMarked;
