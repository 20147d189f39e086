/** The agent as the device plugin of a real kubelet. */
@NullMarked
package io.gpureclaimer.verification.scenario.deviceplugin;

import org.jspecify.annotations.NullMarked;
