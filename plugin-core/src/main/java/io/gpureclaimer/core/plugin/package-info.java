/**
 * The gRPC service of one resource, as {@code v1beta1.DevicePlugin} describes it: the protocol's
 * messages on one side, our records on the other, and nothing else.
 */
@NullMarked
package io.gpureclaimer.core.plugin;

import org.jspecify.annotations.NullMarked;
