package io.gpureclaimer.reclaimer.evidence;

/** By what a source knows a pod. */
public sealed interface PodKey {

  /** Whether it says nothing at all. */
  boolean isBlank();

  /** For people. */
  String text();

  /** By its UID, which no other pod ever has. */
  record Uid(String uid) implements PodKey {
    @Override
    public boolean isBlank() {
      return uid.isBlank();
    }

    @Override
    public String text() {
      return uid;
    }
  }

  /** By its name, which another pod may have had. */
  record Named(PodName name) implements PodKey {
    @Override
    public boolean isBlank() {
      return name.namespace().isBlank() || name.name().isBlank();
    }

    @Override
    public String text() {
      return name.toString();
    }
  }
}
