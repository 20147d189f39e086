package io.gpureclaimer.deviceplugin.allocation;

import java.util.regex.Pattern;

/**
 * The name under which Kubernetes counts devices, such as {@code nvidia.com/gpu}.
 *
 * @param value a domain, a slash and at most 63 characters
 */
public record ResourceName(String value) implements Comparable<ResourceName> {
  private static final Pattern QUALIFIED =
      Pattern.compile(
          "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
              + "/[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?");

  public ResourceName {
    if (!isValid(value)) {
      throw new IllegalArgumentException(
          "a resource name must look like nvidia.com/gpu: a domain other than kubernetes.io, a"
              + " slash and at most 63 letters, digits, '-', '_' or '.', was \""
              + value
              + '"');
    }
  }

  /** Whether Kubernetes would take it. */
  public static boolean isValid(String text) {
    return QUALIFIED.matcher(text).matches()
        && !text.contains("kubernetes.io/")
        && !text.startsWith("requests.");
  }

  /** What follows the domain: {@code gpu}. */
  public String tail() {
    return value.substring(value.indexOf('/') + 1);
  }

  @Override
  public int compareTo(ResourceName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
