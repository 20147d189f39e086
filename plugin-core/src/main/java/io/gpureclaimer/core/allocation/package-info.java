/** What is offered to the kubelet, and what a container gets. Pure: asks nobody. */
@NullMarked
package io.gpureclaimer.core.allocation;

import org.jspecify.annotations.NullMarked;
