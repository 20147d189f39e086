package io.gpureclaimer.deviceplugin.plugin;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import v1beta1.Api.Device;
import v1beta1.Api.ListAndWatchResponse;

/** Watcher of a list that accepts messages only when there is room. */
final class FakeWatcher extends ServerCallStreamObserver<ListAndWatchResponse> {
  final List<List<String>> lists = new ArrayList<>();
  boolean completed;
  private boolean ready = true;
  private @Nullable Runnable onReady;
  private @Nullable Runnable onCancel;

  void makeRoom() {
    ready = true;
    if (onReady != null) {
      onReady.run();
    }
  }

  void haveNoRoom() {
    ready = false;
  }

  void leave() {
    if (onCancel != null) {
      onCancel.run();
    }
  }

  @Override
  public void onNext(ListAndWatchResponse list) {
    if (completed) {
      throw new IllegalStateException("a list after the end");
    }
    lists.add(list.getDevicesList().stream().map(Device::getID).toList());
  }

  @Override
  public void onError(Throwable thrown) {
    throw new IllegalStateException(thrown);
  }

  @Override
  public void onCompleted() {
    if (completed) {
      throw new IllegalStateException("ended twice");
    }
    completed = true;
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public void setOnReadyHandler(Runnable handler) {
    onReady = handler;
  }

  @Override
  public void setOnCancelHandler(Runnable handler) {
    onCancel = handler;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void setCompression(String compression) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void disableAutoInboundFlowControl() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void request(int count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setMessageCompression(boolean enable) {
    throw new UnsupportedOperationException();
  }
}
