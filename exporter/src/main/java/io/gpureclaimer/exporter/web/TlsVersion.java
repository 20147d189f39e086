package io.gpureclaimer.exporter.web;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A version of TLS, oldest first. */
enum TlsVersion {
  TLS10("TLSv1", 0),
  TLS11("TLSv1.1", 1),
  TLS12("TLSv1.2", 2),
  TLS13("TLSv1.3", 3);

  private final String protocol;
  private final int age;

  TlsVersion(String protocol, int age) {
    this.protocol = protocol;
    this.age = age;
  }

  static Optional<TlsVersion> named(String name) {
    return Arrays.stream(values()).filter(one -> one.name().equals(name)).findFirst();
  }

  static List<String> names() {
    return Arrays.stream(values()).map(Enum::name).toList();
  }

  boolean isNewerThan(TlsVersion other) {
    return age > other.age;
  }

  /** What the JVM calls the versions from {@code oldest} to {@code newest}. */
  static List<String> protocols(TlsVersion oldest, TlsVersion newest) {
    return Arrays.stream(values())
        .filter(one -> one.age >= oldest.age && one.age <= newest.age)
        .map(one -> one.protocol)
        .toList();
  }
}
