package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.Endpoint;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.RegisterAnswer;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart.Impossible;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart.Opened;
import io.gpureclaimer.deviceplugin.plugin.DeviceList;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.gpureclaimer.deviceplugin.plugin.PluginEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sockets without files, and a clock that the test advances. */
final class FakeRegistrarEnvironment implements RegistrarEnvironment {
  final List<FakeEndpoint> endpoints = new ArrayList<>();
  final List<Duration> attempts = new ArrayList<>();
  final Set<String> sockets = new HashSet<>();
  final Set<String> withoutListener = new HashSet<>();
  @Nullable String impossible;
  int probes;
  private final List<Consumer<RegisterAnswer>> questions = new ArrayList<>();
  private Duration now = Duration.ofDays(1);
  private final Duration began = now;

  long nanoTime() {
    return now.toNanos();
  }

  Duration elapsed() {
    return now.minus(began);
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  /** The one that was made last. */
  FakeEndpoint endpoint() {
    return endpoints.getLast();
  }

  /** The kubelet answers to the last registration. */
  void answer(RegisterAnswer answer) {
    questions.getLast().accept(answer);
  }

  /** The kubelet answers to an earlier registration. */
  void answer(int question, RegisterAnswer answer) {
    questions.get(question).accept(answer);
  }

  int registrations() {
    return questions.size();
  }

  @Override
  public Set<String> sockets() {
    return Set.copyOf(sockets);
  }

  @Override
  public boolean hasListener(String socket) {
    probes++;
    return !withoutListener.contains(socket);
  }

  @Override
  public ServerStart open(ResourceName resource, ResourceDevices offered, PluginEvents events) {
    if (impossible != null) {
      attempts.add(elapsed());
      return new Impossible(impossible);
    }
    var endpoint = new FakeEndpoint("socket-" + endpoints.size(), offered, events);
    endpoints.add(endpoint);
    return new Opened(endpoint);
  }

  @Override
  public void register(ResourceName resource, Endpoint endpoint, Consumer<RegisterAnswer> then) {
    attempts.add(elapsed());
    questions.add(then);
  }

  /** Endpoint that the test controls, and that records its calls. */
  static final class FakeEndpoint implements Endpoint {
    final List<String> reported = new ArrayList<>();
    boolean inPlace = true;
    boolean gone;
    boolean connected = true;
    boolean goesWhenDrained = true;
    private final String name;
    private final PluginEvents events;
    private ResourceDevices offered;
    private int streams;

    FakeEndpoint(String name, ResourceDevices offered, PluginEvents events) {
      this.name = name;
      this.offered = offered;
      this.events = events;
    }

    /** The kubelet watches, and so has the list at once. */
    void watch() {
      streams = 1;
      events.streamsChanged();
      events.sent(new DeviceList(offered.devices()));
    }

    void hangUp() {
      streams = 0;
      events.streamsChanged();
    }

    ResourceDevices offered() {
      return offered;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean inPlace() {
      return inPlace;
    }

    @Override
    public void offer(ResourceDevices next) {
      offered = next;
      if (streams > 0) {
        events.sent(new DeviceList(next.devices()));
      }
    }

    @Override
    public int streams() {
      return streams;
    }

    @Override
    public boolean connected() {
      return connected;
    }

    @Override
    public void drain() {
      reported.add("drain");
      streams = 0;
      gone = goesWhenDrained;
    }

    @Override
    public void cut() {
      reported.add("cut");
      gone = true;
    }

    @Override
    public boolean gone() {
      return gone;
    }
  }
}
