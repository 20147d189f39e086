package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.gpureclaimer.deviceplugin.plugin.PluginEvents;
import java.util.Set;
import java.util.function.Consumer;

/** Sockets and calls that registration uses; tests replace it. */
interface RegistrarEnvironment {

  /** The names of all sockets of our kind, whichever process they belong to. */
  Set<String> sockets();

  /** Whether a process listens at the socket of this name; true if that cannot be determined. */
  boolean hasListener(String socket);

  /**
   * Makes a server.
   *
   * @param events hears of it, on the thread that calls this
   */
  ServerStart open(ResourceName resource, ResourceDevices offered, PluginEvents events);

  /**
   * Asks the kubelet to use a server.
   *
   * @param then gets the answer once, later, on the thread that calls this
   */
  void register(ResourceName resource, Endpoint endpoint, Consumer<RegisterAnswer> then);

  /** Result of starting an endpoint. */
  sealed interface ServerStart {

    /** The endpoint is reachable. */
    record Opened(Endpoint endpoint) implements ServerStart {}

    /**
     * The endpoint could not be created.
     *
     * @param why in one line, with the path
     */
    record Impossible(String why) implements ServerStart {}
  }

  /** Response of the kubelet to a registration. */
  sealed interface RegisterAnswer {

    /** The kubelet will watch the list. */
    record Accepted() implements RegisterAnswer {}

    /**
     * The kubelet refused.
     *
     * @param outcome which kind of failure
     * @param reason one line for a human
     */
    record Rejected(RegistrationOutcome outcome, String reason) implements RegisterAnswer {}
  }

  /** One server of one resource, as the kubelet sees it: a socket that it can be reached at. */
  interface Endpoint {

    /** The name of the socket in the kubelet's folder. */
    String name();

    /** Whether the socket is still where it was put, and still the same. */
    boolean inPlace();

    /** This is offered from now on. */
    void offer(ResourceDevices offered);

    /** How many watch the list now. */
    int streams();

    /** Whether any client is connected. */
    boolean connected();

    /** Accepts no further calls, ends the streams, lets other calls end, and removes the socket. */
    void drain();

    /** Ends everything at once. */
    void cut();

    /** Whether no client is connected, since {@link #drain} or {@link #cut}. */
    boolean gone();
  }
}
