package io.gpureclaimer.deviceplugin.kubelet;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import v1beta1.Api.AllocateRequest;
import v1beta1.Api.AllocateResponse;
import v1beta1.Api.ContainerAllocateRequest;
import v1beta1.Api.ContainerPreferredAllocationRequest;
import v1beta1.Api.Device;
import v1beta1.Api.DevicePluginOptions;
import v1beta1.Api.Empty;
import v1beta1.Api.ListAndWatchResponse;
import v1beta1.Api.PreStartContainerRequest;
import v1beta1.Api.PreferredAllocationRequest;
import v1beta1.Api.RegisterRequest;
import v1beta1.DevicePluginGrpc;
import v1beta1.RegistrationGrpc.RegistrationImplBase;

/**
 * The part of a kubelet that talks to device plugins, on real sockets: what version 1.36.2 does, as
 * its source has it, good and bad. Not there until it is started. Safe for use by several threads.
 *
 * <ul>
 *   <li>{@link #start} deletes every socket of the folder, and only then listens. Resources that it
 *       knew before ("checkpoint") are there, without devices.
 *   <li>{@code Register} checks version and name, calls the plugin back (as {@code localhost}) and
 *       asks for its options before it answers, and watches its list afterwards.
 *   <li>Each list replaces everything that was known of the resource.
 *   <li>The end of a stream makes all devices of the resource unhealthy at once; {@link
 *       #expireGrace} does what happens five minutes later.
 *   <li>A second registration of a name replaces the first, and does not close its connection. When
 *       the stream of the first ends, <em>the second</em> is disconnected: clients are found by
 *       name only.
 *   <li>An endpoint whose stream has ended refuses to allocate, even if lists still come in.
 * </ul>
 *
 * <p>What a crash leaves unfinished changes nothing that the next process knows.
 *
 * <p>Faults: {@link #refuse}, {@link #hang}, {@link #delay}, {@link #doNotWatch}, {@link
 * #keepSilent}; {@link #behave} ends them all. {@link #crash} goes away without a word and leaves
 * the socket, {@link #stop} takes it along.
 */
public final class FakeDeviceManager implements AutoCloseable {
  private static final String VERSION = "v1beta1";

  /** A domain and a name, as Kubernetes wants them of what no part of it has named. */
  private static final Pattern RESOURCE =
      Pattern.compile(
          "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
              + "/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private static final Duration CALL_BACK = Duration.ofSeconds(10);

  private final Path folder;
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("fake-device-manager", true), NioIoHandler.newFactory());
  private final ExecutorService calls =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().name("fake-device-manager-call").daemon().factory());
  private final Map<String, Client> clients = new HashMap<>();
  private final Set<Client> connected = new HashSet<>();
  private final Map<String, KnownResource> resources = new HashMap<>();
  private final List<RegisterRequest> requests = new ArrayList<>();
  private final Deque<String> history = new ArrayDeque<>();
  private @Nullable Server server;
  private int starts;
  private int crashes;
  private RegistrationFault fault = new RegistrationFault.None();
  private boolean watching = true;
  private boolean listening = true;

  /** Fault of the answer to a registration. */
  private sealed interface RegistrationFault {
    record None() implements RegistrationFault {}

    record Refuses(Status status) implements RegistrationFault {}

    record Hangs() implements RegistrationFault {}

    record Delays(Duration by) implements RegistrationFault {}
  }

  /**
   * @param folder where plugins register; must exist
   */
  public FakeDeviceManager(Path folder) {
    this.folder = folder;
  }

  /** Where it listens. */
  public Path socket() {
    return folder.resolve("kubelet.sock");
  }

  /** Comes up, as after a crash or for the first time. */
  public synchronized void start() {
    try {
      remember("starts");
      resources.values().forEach(KnownResource::forget);
      deleteSockets();
      // Bound under another name, so that a crash can leave the socket behind.
      Path hidden = folder.resolve(".kubelet" + starts++);
      server =
          NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(hidden))
              .channelType(NioServerDomainSocketChannel.class)
              .bossEventLoopGroup(loop)
              .workerEventLoopGroup(loop)
              .executor(calls)
              .addService(new Registry(crashes))
              .build()
              .start();
      Files.move(hidden, socket());
    } catch (IOException e) {
      throw new UncheckedIOException("a fake device manager cannot listen in " + folder, e);
    }
  }

  private void deleteSockets() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      for (Path path : all.toList()) {
        if (SocketState.of(path) instanceof SocketState.Present) {
          Files.deleteIfExists(path);
        }
      }
    }
  }

  /** Goes away at once; its socket stays, and no process listens on it. */
  public void crash() {
    @Nullable Server gone;
    List<Client> cut;
    synchronized (this) {
      remember("crashes");
      crashes++;
      gone = server;
      server = null;
      cut = List.copyOf(connected);
      connected.clear();
      clients.clear();
    }
    cut.forEach(client -> client.channel.shutdownNow());
    if (gone != null) {
      gone.shutdownNow();
      await(gone::isTerminated);
    }
    cut.forEach(client -> await(client.channel::isTerminated));
  }

  /** Goes away, socket and all. */
  public void stop() {
    crash();
    try {
      Files.deleteIfExists(socket());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Goes away and comes again at once. */
  public void restart() {
    crash();
    start();
  }

  @Override
  public void close() {
    stop();
    calls.shutdownNow();
    var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /** Answers registrations with an error from now on. */
  public synchronized void refuse(Status status) {
    fault = new RegistrationFault.Refuses(status);
  }

  /** Takes registrations, and never answers, from now on. */
  public synchronized void hang() {
    fault = new RegistrationFault.Hangs();
  }

  /** Waits before it deals with a registration, from now on. */
  public synchronized void delay(Duration by) {
    fault = new RegistrationFault.Delays(by);
  }

  /** Accepts registrations, and never watches the list, from now on. */
  public synchronized void doNotWatch() {
    watching = false;
  }

  /** Watches lists, and learns nothing from them, from now on. */
  public synchronized void keepSilent() {
    listening = false;
  }

  /** Does what it should from now on. */
  public synchronized void behave() {
    fault = new RegistrationFault.None();
    watching = true;
    listening = true;
  }

  /** Cuts the connection to who is registered under this name, as an error on the stream does. */
  public void hangUp(String resource) {
    @Nullable Client client;
    synchronized (this) {
      client = clients.get(resource);
    }
    if (client != null) {
      disconnect(client);
    }
  }

  /** Five minutes after their streams have ended, resources are deleted. */
  public synchronized void expireGrace() {
    resources.values().removeIf(resource -> resource.stopped);
  }

  /** Every registration that came in, the refused ones too, in order. */
  public synchronized List<RegisterRequest> requests() {
    return List.copyOf(requests);
  }

  /** What happened lately, a line each, for the message of a test that fails. */
  public synchronized List<String> history() {
    return List.copyOf(history);
  }

  /** The names of the resources that it knows. */
  public synchronized Set<String> resources() {
    return Set.copyOf(resources.keySet());
  }

  /** The ids that containers may get; the scheduler sees how many there are as allocatable. */
  public synchronized Set<String> healthy(String resource) {
    var known = resources.get(resource);
    return known == null ? Set.of() : new TreeSet<>(known.healthy);
  }

  /** The ids that containers may get, for all resources that have any. */
  public synchronized Map<String, Set<String>> healthy() {
    var all = new HashMap<String, Set<String>>();
    resources.forEach(
        (name, known) -> {
          if (!known.healthy.isEmpty()) {
            all.put(name, Set.copyOf(known.healthy));
          }
        });
    return all;
  }

  /** How many devices there are, healthy or not; empty if the resource is not known. */
  public synchronized int capacity(String resource) {
    var known = resources.get(resource);
    return known == null ? 0 : known.healthy.size() + known.unhealthy.size();
  }

  /** The lists that came in for a resource, in order, over all restarts. */
  public synchronized List<ListAndWatchResponse> lists(String resource) {
    var known = resources.get(resource);
    return known == null ? List.of() : List.copyOf(known.lists);
  }

  /** Whether a plugin is registered and watched: then devices can be allocated. */
  public synchronized boolean serves(String resource) {
    var known = resources.get(resource);
    return known != null && known.client != null && !known.stopped;
  }

  /** How many connections to plugins are open, those to replaced ones too. */
  public synchronized int connections() {
    return (int)
        connected.stream()
            .filter(client -> client.channel.getState(false) == ConnectivityState.READY)
            .count();
  }

  /** What the plugin has said when it was called back. */
  public synchronized @Nullable DevicePluginOptions options(String resource) {
    var known = resources.get(resource);
    return known == null ? null : known.options;
  }

  /**
   * What a pod's admission does for a container.
   *
   * @throws StatusRuntimeException if the plugin refuses
   * @throws IllegalStateException if there is none, or its stream has ended
   */
  public AllocateResponse allocate(String resource, Collection<String> ids) {
    return plugin(resource)
        .allocate(
            AllocateRequest.newBuilder()
                .addContainerRequests(ContainerAllocateRequest.newBuilder().addAllDevicesIds(ids))
                .build());
  }

  /** The same for any request. */
  public AllocateResponse allocate(String resource, AllocateRequest request) {
    return plugin(resource).allocate(request);
  }

  /** Which of these the plugin likes best. */
  public List<String> prefer(
      String resource, Collection<String> available, Collection<String> required, int size) {
    return plugin(resource)
        .getPreferredAllocation(
            PreferredAllocationRequest.newBuilder()
                .addContainerRequests(
                    ContainerPreferredAllocationRequest.newBuilder()
                        .addAllAvailableDeviceIDs(available)
                        .addAllMustIncludeDeviceIDs(required)
                        .setAllocationSize(size))
                .build())
        .getContainerResponses(0)
        .getDeviceIDsList();
  }

  /** What comes before the start of a container, if the plugin has asked for it. */
  public void preStart(String resource, Collection<String> ids) {
    var _ =
        plugin(resource)
            .withDeadlineAfter(Duration.ofSeconds(30))
            .preStartContainer(PreStartContainerRequest.newBuilder().addAllDevicesIds(ids).build());
  }

  private DevicePluginGrpc.DevicePluginBlockingStub plugin(String resource) {
    synchronized (this) {
      var known = resources.get(resource);
      if (known == null || known.client == null || known.stopped) {
        throw new IllegalStateException("the endpoint of " + resource + " has been stopped");
      }
      return DevicePluginGrpc.newBlockingStub(known.client.channel);
    }
  }

  private final class Registry extends RegistrationImplBase {
    private final int process;

    Registry(int process) {
      this.process = process;
    }

    @Override
    public void register(RegisterRequest request, StreamObserver<Empty> into) {
      RegistrationFault now;
      synchronized (FakeDeviceManager.this) {
        requests.add(request);
        now = fault;
      }
      switch (now) {
        case RegistrationFault.Refuses(var status) -> into.onError(status.asException());
        case RegistrationFault.Hangs() -> {}
        case RegistrationFault.Delays(var by) -> {
          pause(by);
          answer(request, into);
        }
        case RegistrationFault.None() -> answer(request, into);
      }
    }

    private void answer(RegisterRequest request, StreamObserver<Empty> into) {
      @Nullable Status refusal = validate(request);
      if (refusal == null) {
        refusal = connect(request, process);
      }
      if (refusal == null) {
        into.onNext(Empty.getDefaultInstance());
        into.onCompleted();
      } else {
        into.onError(refusal.asException());
      }
    }
  }

  private static @Nullable Status validate(RegisterRequest request) {
    String name = request.getResourceName();
    if (!request.getVersion().equals(VERSION)) {
      return Status.UNKNOWN.withDescription(
          "requested API version \"" + request.getVersion() + "\" is not supported by kubelet");
    }
    boolean valid =
        RESOURCE.matcher(name).matches()
            && !name.contains("kubernetes.io/")
            && !name.startsWith("requests.");
    return valid
        ? null
        : Status.UNKNOWN.withDescription("the ResourceName \"" + name + "\" is invalid");
  }

  /** Calls back, and is known from then on; what fails takes the name's client along. */
  private @Nullable Status connect(RegisterRequest request, int process) {
    String name = request.getResourceName();
    var client =
        new Client(
            request, KubeletChannel.to(folder.resolve(request.getEndpoint()), loop), process);
    remember("registers " + client);
    synchronized (this) {
      if (client.process != crashes) {
        client.channel.shutdownNow();
        return Status.UNAVAILABLE;
      }
      clients.put(name, client);
      remember("knows " + client);
      connected.add(client);
    }
    try {
      var options =
          DevicePluginGrpc.newBlockingStub(client.channel)
              .withWaitForReady()
              .withDeadlineAfter(CALL_BACK)
              .getDevicePluginOptions(Empty.getDefaultInstance());
      connected(client, options);
      return null;
    } catch (StatusRuntimeException e) {
      synchronized (this) {
        if (client.process == crashes) {
          clients.remove(name);
          connected.remove(client);
        }
      }
      client.channel.shutdownNow();
      return Status.UNKNOWN.withDescription("failed to get device plugin options: " + e);
    }
  }

  private synchronized void connected(Client client, DevicePluginOptions options) {
    if (client.process != crashes) {
      return;
    }
    var known = resources.computeIfAbsent(client.resource, _ -> new KnownResource());
    known.client = client;
    known.options = options;
    known.stopped = false;
    remember("is connected to " + client);
    if (watching) {
      calls.execute(() -> watch(client));
    }
  }

  private void watch(Client client) {
    DevicePluginGrpc.newStub(client.channel)
        .listAndWatch(
            Empty.getDefaultInstance(),
            new StreamObserver<>() {
              @Override
              public void onNext(ListAndWatchResponse list) {
                learn(client, list);
              }

              @Override
              public void onError(Throwable thrown) {
                ended(client);
              }

              @Override
              public void onCompleted() {
                ended(client);
              }
            });
  }

  private synchronized void learn(Client client, ListAndWatchResponse list) {
    var known = resources.get(client.resource);
    if (known != null && listening && client.process == crashes) {
      known.learn(list);
    }
  }

  /** As 1.36.2 has it: a plugin that is registered under the name is disconnected. */
  private void ended(Client client) {
    @Nullable Client current;
    synchronized (this) {
      current = client.process == crashes ? clients.get(client.resource) : null;
      remember("stream ended: " + client + ", known by that name: " + current);
    }
    if (current != null) {
      disconnect(current);
    }
  }

  private void disconnect(Client client) {
    synchronized (this) {
      clients.remove(client.resource, client);
      connected.remove(client);
    }
    client.channel.shutdownNow();
    synchronized (this) {
      var known = resources.get(client.resource);
      if (known != null && client.process == crashes) {
        known.stop();
        remember("stopped " + known.client + " for " + client);
      }
    }
  }

  private synchronized void remember(String what) {
    history.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) + " " + what);
    if (history.size() > 100) {
      history.remove();
    }
  }

  private static void pause(Duration by) {
    try {
      Thread.sleep(by);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(BooleanSupplier condition) {
    long began = System.nanoTime();
    while (!condition.getAsBoolean() && System.nanoTime() - began < 5_000_000_000L) {
      pause(Duration.ofMillis(1));
    }
  }

  private static final class Client {
    private final String resource;
    private final String endpoint;
    private final ManagedChannel channel;
    private final int process;

    Client(RegisterRequest request, ManagedChannel channel, int process) {
      this.process = process;
      this.resource = request.getResourceName();
      this.endpoint = request.getEndpoint();
      this.channel = channel;
    }

    @Override
    public String toString() {
      return endpoint;
    }
  }

  /** What is known of one resource. Guarded by the device manager. */
  private static final class KnownResource {
    private final Set<String> healthy = new HashSet<>();
    private final Set<String> unhealthy = new HashSet<>();
    private final List<ListAndWatchResponse> lists = new ArrayList<>();
    private @Nullable Client client;
    private @Nullable DevicePluginOptions options;
    private boolean stopped;

    void learn(ListAndWatchResponse list) {
      lists.add(list);
      healthy.clear();
      unhealthy.clear();
      for (Device device : list.getDevicesList()) {
        (device.getHealth().equals("Healthy") ? healthy : unhealthy).add(device.getID());
      }
    }

    void stop() {
      stopped = true;
      unhealthy.addAll(healthy);
      healthy.clear();
    }

    /** A kubelet that starts knows the names of its checkpoint. */
    void forget() {
      stopped = true;
      client = null;
      options = null;
      healthy.clear();
      unhealthy.clear();
    }
  }
}
