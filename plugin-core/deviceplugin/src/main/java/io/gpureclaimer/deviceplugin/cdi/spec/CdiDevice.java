package io.gpureclaimer.deviceplugin.cdi.spec;

/**
 * A device that a container can be given.
 *
 * @param name as CDI lets it be named
 * @param edits what the container gets; not nothing
 */
public record CdiDevice(String name, ContainerEdits edits) {
  public CdiDevice {
    if (!CdiKind.canName(name)) {
      throw new IllegalArgumentException("not a name that CDI lets a device have: " + name);
    }
    if (edits.isEmpty()) {
      throw new IllegalArgumentException("a CDI device gives a container something: " + name);
    }
  }
}
