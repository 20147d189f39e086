package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.GpuUuid;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What people were told of a device that no new pod gets, and not yet that it is over.
 *
 * @param gpu to which the device belongs
 * @param name what people call the device
 * @param text what is wrong, for people
 * @param since when; null if not known
 */
public record Told(GpuUuid gpu, String name, String text, @Nullable Instant since) {}
