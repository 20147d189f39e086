package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.mps.MpsControl.ControlResult.Answered;
import io.gpureclaimer.deviceplugin.mps.MpsControl.ControlResult.Refused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A control program whose daemons live in a map. */
final class FakeControl implements MpsControl {
  /** Which GPUs each daemon that is up sees. */
  final Map<String, List<GpuUuid>> up = new HashMap<>();

  final List<String> calls = new ArrayList<>();
  boolean canStart = true;
  boolean canQuit = true;
  String percentage = "25.0";

  @Override
  public ControlResult start(MpsPaths home, List<GpuUuid> gpus) {
    calls.add("start " + home.resource());
    if (!canStart) {
      return new Refused("no such program");
    }
    up.put(home.resource(), gpus);
    return new Answered("");
  }

  @Override
  public ControlResult ask(MpsPaths home, String command) {
    if (!up.containsKey(home.resource())) {
      return new Refused("Cannot find MPS control daemon process");
    }
    calls.add(command);
    if (command.equals("quit")) {
      if (!canQuit) {
        return new Refused("did not end");
      }
      up.remove(home.resource());
    }
    return new Answered(command.startsWith("get") ? percentage : "");
  }

  @Override
  public void kill(MpsPaths home) {
    if (up.remove(home.resource()) != null) {
      calls.add("kill " + home.resource());
    }
  }

  /** What was asked for since the last time. */
  List<String> taken() {
    var taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }
}
