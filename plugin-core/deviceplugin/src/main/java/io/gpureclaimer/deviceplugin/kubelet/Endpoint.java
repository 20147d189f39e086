package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.plugin.Offered;

/** One server of one resource, as the kubelet sees it: a socket that it can be reached at. */
interface Endpoint {

  /** The name of the socket in the kubelet's folder. */
  String name();

  /** Whether the socket is still where it was put, and still the same. */
  boolean inPlace();

  /** This is offered from now on. */
  void offer(Offered offered);

  /** How many watch the list now. */
  int streams();

  /** Whether anybody is connected. */
  boolean connected();

  /** Takes no more calls, ends the streams, lets other calls end, and removes the socket. */
  void drain();

  /** Ends everything at once. */
  void cut();

  /** Whether nobody is connected any more, since {@link #drain} or {@link #cut}. */
  boolean gone();
}
