/** The agent's second role: what the driver tells becomes what the kubelet is offered. */
@NullMarked
package io.gpureclaimer.exporter.deviceplugin;

import org.jspecify.annotations.NullMarked;
