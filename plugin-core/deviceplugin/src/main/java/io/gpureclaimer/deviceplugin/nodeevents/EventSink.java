package io.gpureclaimer.deviceplugin.nodeevents;

/** Destination of Events. */
public interface EventSink {

  /** What it is, for people. */
  String target();

  /** Writes one; may take as long as the API server does. */
  Delivery write(NodeEvent event);

  /** Result of a delivery. */
  sealed interface Delivery {

    /** People can read it now, or could already. */
    record Delivered() implements Delivery {}

    /** They cannot; {@code why} is one line for people. */
    record Failed(String why) implements Delivery {}
  }
}
