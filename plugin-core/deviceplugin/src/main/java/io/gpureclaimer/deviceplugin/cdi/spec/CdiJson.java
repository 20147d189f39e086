package io.gpureclaimer.deviceplugin.cdi.spec;

import io.gpureclaimer.common.json.JsonWriter;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec.CdiDevice;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.BindMount;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.CdiHook;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.DeviceNode;
import java.util.List;
import java.util.function.Consumer;

/** CDI specification as the JSON that container runtimes read; equal specifications, equal text. */
public final class CdiJson {
  private final JsonWriter json = JsonWriter.indented();

  private CdiJson() {}

  public static String of(CdiSpec spec) {
    var writer = new CdiJson();
    writer.write(spec);
    return writer.json + "\n";
  }

  private void write(CdiSpec spec) {
    json.beginObject()
        .member("cdiVersion", spec.version().toString())
        .member("kind", spec.kind().toString())
        .name("devices")
        .beginArray();
    for (CdiDevice device : spec.devices()) {
      json.beginObject().member("name", device.name());
      write(device.edits());
      json.endObject();
    }
    json.endArray();
    write(spec.common());
    json.endObject();
  }

  private void write(ContainerEdits edits) {
    if (edits.isEmpty()) {
      return;
    }
    json.name("containerEdits").beginObject();
    write("env", edits.env());
    array("deviceNodes", edits.nodes(), this::write);
    array("mounts", edits.mounts(), this::write);
    array("hooks", edits.hooks(), this::write);
    json.endObject();
  }

  private void write(DeviceNode node) {
    json.member("path", node.path());
    var hostPath = node.hostPath();
    if (hostPath != null) {
      json.member("hostPath", hostPath);
    }
    var number = node.number();
    if (number != null) {
      json.member("type", "c").member("major", number.major()).member("minor", number.minor());
    }
  }

  private void write(BindMount mount) {
    json.member("hostPath", mount.hostPath()).member("containerPath", mount.containerPath());
    write("options", mount.options());
  }

  private void write(CdiHook hook) {
    json.member("hookName", CdiHook.MOMENT).member("path", hook.path());
    write("args", hook.args());
    write("env", hook.env());
  }

  private void write(String name, List<String> texts) {
    if (!texts.isEmpty()) {
      json.member(name, texts);
    }
  }

  private <T> void array(String name, List<T> elements, Consumer<T> members) {
    if (elements.isEmpty()) {
      return;
    }
    json.name(name).beginArray();
    for (T element : elements) {
      json.beginObject();
      members.accept(element);
      json.endObject();
    }
    json.endArray();
  }
}
