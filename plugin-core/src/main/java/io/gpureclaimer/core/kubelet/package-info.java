/** The kubelet of this node, over its unix sockets: which container holds which device. */
@NullMarked
package io.gpureclaimer.core.kubelet;

import org.jspecify.annotations.NullMarked;
