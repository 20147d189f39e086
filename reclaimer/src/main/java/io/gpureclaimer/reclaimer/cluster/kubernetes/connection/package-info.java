/** How the API server is found, and how a dead connection to it is noticed. */
@NullMarked
package io.gpureclaimer.reclaimer.cluster.kubernetes.connection;

import org.jspecify.annotations.NullMarked;
