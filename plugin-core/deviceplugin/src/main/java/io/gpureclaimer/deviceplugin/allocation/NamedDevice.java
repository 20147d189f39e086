package io.gpureclaimer.deviceplugin.allocation;

/**
 * A device, and the resource that it belongs to while it is not shared.
 *
 * @param name of the resource
 * @param byDefault whether the name is a default, not configured
 * @param device the device
 * @param readable whether the driver answers for it now
 */
record NamedDevice(ResourceName name, boolean byDefault, Device device, boolean readable) {}
