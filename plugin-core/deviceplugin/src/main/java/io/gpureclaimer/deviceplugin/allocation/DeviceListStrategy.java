package io.gpureclaimer.deviceplugin.allocation;

/** How the container runtime learns which devices a container gets. */
public enum DeviceListStrategy {
  /** By {@code NVIDIA_VISIBLE_DEVICES}, which NVIDIA's runtime reads. */
  ENVVAR("envvar", false),
  /** By mounts below {@code /var/run/nvidia-container-devices}, which a pod cannot write itself. */
  VOLUME_MOUNTS("volume-mounts", false),
  /** By names of the Container Device Interface, in an annotation. */
  CDI_ANNOTATIONS("cdi-annotations", true),
  /** By such names, in the field that the runtime interface has for them. */
  CDI_CRI("cdi-cri", true);

  private final String text;
  private final boolean cdi;

  DeviceListStrategy(String text, boolean cdi) {
    this.text = text;
    this.cdi = cdi;
  }

  /** As it is written in configurations. */
  public String text() {
    return text;
  }

  /** Whether it uses names of the Container Device Interface. */
  public boolean isCdi() {
    return cdi;
  }

  @Override
  public String toString() {
    return text;
  }
}
