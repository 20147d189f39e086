package io.gpureclaimer.deviceplugin.publication;

/**
 * Destination of a publication.
 *
 * @param <T> what is published, as a value
 */
public interface PublicationSink<T> {

  /** What it is, for people: {@code the Node gpu-node-1}. */
  String target();

  /**
   * Publishes exactly this, and removes what of ours is not in it. May take as long as the API
   * server does.
   */
  Published publish(T wanted);
}
