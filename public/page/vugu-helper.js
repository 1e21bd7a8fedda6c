// The script by which Vugu's renderer writes the page: domrender/renderer-js-script.js of github.com/vugu/vugu v0.4.0,
// MIT License, without its comments on debugging. Vugu would pass it to eval, which the page's policy forbids, so the
// page loads this file and ui/main_js.go does without eval. A test in repo_test.go compares the original:
// SHA-256 bbbb735a5e8f6a597cd7c3f8cdac5662480a414b2c43050a2f1a68df71b1663b
//
// Changed are these places, so that nothing is written that is there already: the browser would lay the page out anew
// with each rendering, and keep what was there until it collects garbage.
//   setHTML                          in place of el.innerHTML = html
//   opcodeSetText, opcodeSetComment  compare el.data first, in place of el.textContent = content
//   opcodeSetAttrStr, …NSStr         compare the attribute first
// And Vugu cuts long texts into pieces that may end within a letter, which the next piece completes:
//   readString(continues)            passes { stream: continues } to the decoder
//   opcodeBufferInnerHTML            reads a piece by readString(true)
(function () {
  if (window.vuguRender) {
    return;
  } // only once
  const opcodeEnd = 0         // no more instructions in this buffer
  const opcodeClearEl = 1 // clear the currently selected element
  const opcodeRemoveOtherAttrs = 5 // remove any elements for the current element that we didn't just set
  const opcodeSetAttrStr = 6  // assign attribute string to the current selected element
  const opcodeSelectMountPoint = 7 // selects the mount point element and pushes to the stack
  const opcodeMoveToFirstChild = 20 // move node selection to first child (doesn't have to exist)
  const opcodeSetElement = 21 // assign current selected node as an element of the specified type
  const opcodeSetText = 23 // assign current selected node as text with specified content
  const opcodeSetComment = 24 // assign current selected node as comment with specified content
  const opcodeMoveToParent = 25 // move node selection to parent
  const opcodeMoveToNextSibling = 26 // move node selection to next sibling (doesn't have to exist)
  const opcodeRemoveOtherEventListeners = 27
  const opcodeSetEventListener = 28 // assign event listener to currently selected element
  const opcodeSetInnerHTML = 29 // set the innerHTML for an element
  const opcodeSetCSSTag = 30 // write a CSS (style or link) tag
  const opcodeRemoveOtherCSSTags = 31 // remove any CSS tags that have not been written since the last call
  const opcodeSetJSTag = 32 // write a JS (script) tag
  const opcodeRemoveOtherJSTags = 33 // remove any JS tags that have not been written since the last call
  const opcodeSetProperty = 35 // assign a JS property to the current element
  const opcodeSelectQuery = 36 // select an element
  const opcodeBufferInnerHTML = 37 // pass chunked text to set as inner html, complete with opcodeSetInnerHTML
  const opcodeSetAttrNSStr = 38 // assign attribute string to the current selected namespaced element
  const opcodeSetElementNS = 39
  const opcodeCallback = 40 // issue callback, sends just callbackID
  const opcodeCallbackLastElement = 41 // issue callback with callbackID and most recent element reference
  class Decoder {
    constructor(dataView, offset) {
      this.dataView = dataView;
      this.offset = offset || 0;
      return this;
    }
    readUint8() {
      var ret = this.dataView.getUint8(this.offset);
      this.offset++;
      return ret;
    }
    readRefToString() {
      var ret = this.dataView.getUint32(this.offset).toString(16).padStart(8, "0") +
        this.dataView.getUint32(this.offset + 4).toString(16).padStart(8, "0");
      this.offset += 8;
      return ret;
    }
    readUint32() {
      var ret = this.dataView.getUint32(this.offset);
      this.offset += 4;
      return ret;
    }
    readString(continues) {
      var len = this.dataView.getUint32(this.offset);
      var bytes = new DataView(this.dataView.buffer, this.dataView.byteOffset + this.offset + 4, len);
      var ret = utf8decoder.decode(bytes, { stream: continues });
      this.offset += len + 4;
      return ret;
    }
  }
  let utf8decoder = new TextDecoder();
  const written = new WeakMap(); // the HTML set into an element, and what the browser made of it
  function setHTML(el, html) {
    const last = written.get(el);
    if (last?.html === html && last.made === el.innerHTML) return;
    el.innerHTML = html;
    written.set(el, { html, made: el.innerHTML });
  }
  window.vuguGetActiveEvent = function () {
    let state = window.vuguState || {};
    window.vuguState = state;
    return state.activeEvent;
  }
  window.vuguGetActiveEventTarget = function () {
    let state = window.vuguState || {};
    window.vuguState = state;
    return state.activeEvent && state.activeEvent.target;
  }
  window.vuguGetActiveEventCurrentTarget = function () {
    let state = window.vuguState || {};
    window.vuguState = state;
    return state.activeEvent && state.activeEvent.currentTarget;
  }
  window.vuguActiveEventPreventDefault = function () {
    let state = window.vuguState || {};
    window.vuguState = state;
    if (state.activeEvent && state.activeEvent.preventDefault) {
      state.activeEvent.preventDefault();
    }
  }
  window.vuguActiveEventStopPropagation = function () {
    let state = window.vuguState || {};
    window.vuguState = state;
    if (state.activeEvent && state.activeEvent.stopPropagation) {
      state.activeEvent.stopPropagation();
    }
  }
  window.vuguSetEventHandler = function (eventHandlerFunc) {
    let state = window.vuguState || {};
    window.vuguState = state;
    state.eventHandlerFunc = eventHandlerFunc;
  }
  window.vuguSetCallbackHandler = function (callbackHandlerFunc) {
    let state = window.vuguState || {};
    window.vuguState = state;
    state.callbackHandlerFunc = callbackHandlerFunc;
  }
  window.vuguGetRenderArray = function () {
    if (!window.vuguRenderArray) {
      window.vuguRenderArray = new Uint8Array(16384);
    }
    return window.vuguRenderArray;
  }
  window.vuguRender = function () {
    let buffer = window.vuguRenderArray;
    if (!window.vuguRenderArray) {
      throw "window.vuguRenderArray is not set";
    }
    let state = window.vuguState || {};
    window.vuguState = state;
    let textEncoder = new TextEncoder();
    let bufferView = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    var decoder = new Decoder(bufferView, 0);
    state.mountPointEl = state.mountPointEl || null;
    state.el = state.el || null;
    state.bufferedInnerHTML = state.bufferedInnerHTML || null;
    state.nextElMove = state.nextElMove || null;
    state.elAttrNames = state.elAttrNames || {};
    state.eventHandlerMap = state.eventHandlerMap || {};
    state.elEventKeys = state.elEventKeys || {};
    instructionLoop: while (true) {
      let opcode = decoder.readUint8();
      try {
        switch (opcode) {
          case opcodeEnd: {
            break instructionLoop;
          }
          case opcodeClearEl: {
            state.el = null;
            state.nextElMove = null;
            break;
          }
          case opcodeSetProperty: {
            let el = state.el;
            if (!el) {
              throw "opcodeSetProperty: no current reference";
            }
            let propName = decoder.readString();
            let propValueJSON = decoder.readString();
            el[propName] = JSON.parse(propValueJSON);
            break;
          }
          case opcodeSelectQuery: {
            let selector = decoder.readString();
            state.el = document.querySelector(selector);
            state.nextElMove = null;
            break;
          }
          case opcodeSetAttrStr: {
            let el = state.el;
            if (!el) {
              throw "opcodeSetAttrStr: no current reference";
            }
            let attrName = decoder.readString();
            let attrValue = decoder.readString();
            if (el.getAttribute(attrName) !== attrValue) {
              el.setAttribute(attrName, attrValue);
            }
            state.elAttrNames[attrName] = true;
            break;
          }
          case opcodeSetAttrNSStr: {
            let el = state.el;
            if (!el) {
              throw "opcodeSetAttrNSStr: no current reference";
            }
            let attrNamespace = decoder.readString();
            if (attrNamespace == "") {
              attrNamespace = null
            }
            let attrName = decoder.readString();
            let attrValue = decoder.readString();
            if (el.getAttributeNS(attrNamespace, attrName) !== attrValue) {
              el.setAttributeNS(attrNamespace, attrName, attrValue);
            }
            state.elAttrNames[attrName] = true;
            break;
          }
          case opcodeSelectMountPoint: {
            state.elAttrNames = {}; // reset attribute list
            state.elEventKeys = {};
            let selector = decoder.readString();
            let nodeName = decoder.readString();
            if (state.mountPointEl) {
              state.el = state.mountPointEl;
            } else {
              let el = document.querySelector(selector);
              if (!el) {
                throw "mount point selector not found: " + selector;
              }
              state.mountPointEl = el;
              state.el = el;
            }
            let el = state.el;
            if (el.nodeName.toUpperCase() != nodeName.toUpperCase()) {
              let newEl = document.createElement(nodeName);
              el.parentNode.replaceChild(newEl, el);
              state.mountPointEl = newEl;
              el = newEl;
            }
            state.el = el;
            state.nextElMove = null;
            break;
          }
          case opcodeRemoveOtherAttrs: {
            if (!state.el) {
              throw "no element selected";
            }
            if (state.nextElMove) {
              throw "cannot call opcodeRemoveOtherAttrs when nextElMove is set";
            }
            let rmAttrNames = [];
            for (let i = 0; i < state.el.attributes.length; i++) {
              if (!state.elAttrNames[state.el.attributes[i].name]) {
                rmAttrNames.push(state.el.attributes[i].name);
              }
            }
            for (let i = 0; i < rmAttrNames.length; i++) {
              state.el.attributes.removeNamedItem(rmAttrNames[i]);
            }
            break;
          }
          case opcodeMoveToParent: {
            if (state.nextElMove == "first_child") {
              state.nextElMove = null;
            } else {
              let p = state.el.parentNode;
              let e = state.el;
              while (e.nextSibling) {
                p.removeChild(e.nextSibling);
              }
              state.el = p;
              state.nextElMove = null;
            }
            break;
          }
          case opcodeMoveToFirstChild: {
            if (state.nextElMove) {
              if (state.nextElMove == "first_child") {
                state.el = state.el.firstChild;
                if (!state.el) {
                  throw "unable to find state.el.firstChild";
                }
              } else if (state.nextElMove == "next_sibling") {
                state.el = state.el.nextSibling;
                if (!state.el) {
                  throw "unable to find state.el.nextSibling";
                }
              }
              state.nextElMove = null;
            }
            if (!state.el) {
              throw "must have current selection to use opcodeMoveToFirstChild";
            }
            state.nextElMove = "first_child";
            break;
          }
          case opcodeMoveToNextSibling: {
            if (state.nextElMove) {
              if (state.nextElMove == "first_child") {
                state.el = state.el.firstChild;
                if (!state.el) {
                  throw "unable to find state.el.firstChild";
                }
              } else if (state.nextElMove == "next_sibling") {
                state.el = state.el.nextSibling;
                if (!state.el) {
                  throw "unable to find state.el.nextSibling";
                }
              }
              state.nextElMove = null;
            }
            if (!state.el) {
              throw "must have current selection to use opcodeMoveToNextSibling";
            }
            state.nextElMove = "next_sibling";
            break;
          }
          case opcodeSetElement: {
            let nodeName = decoder.readString();
            state.elAttrNames = {};
            state.elEventKeys = {};
            if (state.nextElMove == "first_child") {
              state.nextElMove = null;
              let newEl = state.el.firstChild;
              if (newEl) {
                state.el = newEl;
              } else {
                newEl = document.createElement(nodeName);
                state.el.appendChild(newEl);
                state.el = newEl;
                break; // we're done here, since we just created the right element
              }
            } else if (state.nextElMove == "next_sibling") {
              state.nextElMove = null;
              let newEl = state.el.nextSibling;
              if (newEl) {
                state.el = newEl;
              } else {
                newEl = document.createElement(nodeName);
                state.el.parentNode.appendChild(newEl);
                state.el = newEl;
                break; // we're done here, since we just created the right element
              }
            } else if (state.nextElMove) {
              throw "bad state.nextElMove value: " + state.nextElMove;
            }
            if (state.el.nodeType != 1 || state.el.nodeName.toUpperCase() != nodeName.toUpperCase()) {
              let newEl = document.createElement(nodeName);
              state.el.parentNode.replaceChild(newEl, state.el);
              state.el = newEl;
            }
            break;
          }
          case opcodeSetElementNS: {
            let nodeName = decoder.readString();
            let namespace = decoder.readString();
            state.elAttrNames = {};
            state.elEventKeys = {};
            if (state.nextElMove == "first_child") {
              state.nextElMove = null;
              let newEl = state.el.firstChild;
              if (newEl) {
                state.el = newEl;
              } else {
                newEl = document.createElementNS(namespace, nodeName);
                state.el.appendChild(newEl);
                state.el = newEl;
                break; // we're done here, since we just created the right element
              }
            } else if (state.nextElMove == "next_sibling") {
              state.nextElMove = null;
              let newEl = state.el.nextSibling;
              if (newEl) {
                state.el = newEl;
              } else {
                newEl = document.createElementNS(namespace, nodeName);
                state.el.parentNode.appendChild(newEl);
                state.el = newEl;
                break; // we're done here, since we just created the right element
              }
            } else if (state.nextElMove) {
              throw "bad state.nextElMove value: " + state.nextElMove;
            }
            if (state.el.nodeType != 1 || state.el.nodeName.toUpperCase() != nodeName.toUpperCase()) {
              let newEl = document.createElementNS(namespace, nodeName);
              state.el.parentNode.replaceChild(newEl, state.el);
              state.el = newEl;
            }
            break;
          }
          case opcodeSetText: {
            let content = decoder.readString();
            if (state.nextElMove == "first_child") {
              state.nextElMove = null;
              let newEl = state.el.firstChild;
              if (newEl) {
                state.el = newEl;
              } else {
                let newEl = document.createTextNode(content);
                state.el.appendChild(newEl);
                state.el = newEl;
                break; // we're done here, since we just created the right element
              }
            } else if (state.nextElMove == "next_sibling") {
              state.nextElMove = null;
              let newEl = state.el.nextSibling;
              if (newEl) {
                state.el = newEl;
              } else {
                let newEl = document.createTextNode(content);
                state.el.parentNode.appendChild(newEl);
                state.el = newEl;
                break; // we're done here, since we just created the right element
              }
            } else if (state.nextElMove) {
              throw "bad state.nextElMove value: " + state.nextElMove;
            }
            if (state.el.nodeType != 3) {
              let newEl = document.createTextNode(content);
              state.el.parentNode.replaceChild(newEl, state.el);
              state.el = newEl;
            } else if (state.el.data !== content) {
              state.el.data = content;
            }
            break;
          }
          case opcodeSetComment: {
            let content = decoder.readString();
            if (state.nextElMove == "first_child") {
              state.nextElMove = null;
              let newEl = state.el.firstChild;
              if (newEl) {
                state.el = newEl;
              } else {
                let newEl = document.createComment(content);
                state.el.appendChild(newEl);
                state.el = newEl;
                break; // we're done here, since we just created the right element
              }
            } else if (state.nextElMove == "next_sibling") {
              state.nextElMove = null;
              let newEl = state.el.nextSibling;
              if (newEl) {
                state.el = newEl;
              } else {
                let newEl = document.createComment(content);
                state.el.parentNode.appendChild(newEl);
                state.el = newEl;
                break; // we're done here, since we just created the right element
              }
            } else if (state.nextElMove) {
              throw "bad state.nextElMove value: " + state.nextElMove;
            }
            if (state.el.nodeType != 8) {
              let newEl = document.createComment(content);
              state.el.parentNode.replaceChild(newEl, state.el);
              state.el = newEl;
            } else if (state.el.data !== content) {
              state.el.data = content;
            }
            break;
          }
          case opcodeBufferInnerHTML: {
            let htmlChunk = decoder.readString(true);
            state.bufferedInnerHTML = (state.bufferedInnerHTML || "") + htmlChunk
            break
          }
          case opcodeSetInnerHTML: {
            let html = decoder.readString();
            if (!state.el) {
              throw "opcodeSetInnerHTML must have currently selected element";
            }
            if (state.nextElMove) {
              throw "opcodeSetInnerHTML nextElMove must not be set";
            }
            if (state.el.nodeType != 1) {
              throw "opcodeSetInnerHTML currently selected element expected nodeType 1 but has: " + state.el.nodeType;
            }
            setHTML(state.el, (state.bufferedInnerHTML || "") + html);
            state.bufferedInnerHTML = null
            break;
          }
          case opcodeRemoveOtherEventListeners: {
            let positionID = decoder.readString();
            let emap = state.eventHandlerMap[positionID] || {};
            let toBeRemoved = [];
            for (let k in emap) {
              if (!state.elEventKeys[k]) {
                toBeRemoved.push(k);
              }
            }
            for (let i = 0; i < toBeRemoved.length; i++) {
              let k = toBeRemoved[i];
              let f = emap[k];
              let kparts = k.split("|");
              state.el.removeEventListener(kparts[0], f, {capture: +kparts[1], passive: +kparts[2]});
              delete emap[k];
            }
            if (Object.keys(emap).length == 0) {
              delete state.eventHandlerMap[positionID];
            } else {
              state.eventHandlerMap[positionID] = emap;
            }
            break;
          }
          case opcodeSetEventListener: {
            let positionID = decoder.readString();
            let eventType = decoder.readString();
            let capture = decoder.readUint8();
            let passive = decoder.readUint8();
            if (!state.el) {
              throw "must have state.el set in order to call opcodeSetEventListener";
            }
            var eventKey = eventType + "|" + (capture ? "1" : "0") + "|" + (passive ? "1" : "0");
            state.elEventKeys[eventKey] = true;
            let emap = state.eventHandlerMap[positionID] || {};
            let f = emap[eventKey];
            if (!f) {
              f = function (event) {
                state.activeEvent = event;
                let eventObj = {};
                for (let i in event) {
                  try {
                    let itype = typeof (event[i]);
                    if (itype == "boolean" || itype == "number" || itype == "string") {
                      eventObj[i] = event[i];
                    }
                  } catch {}
                }
                if (event.target) {
                  eventObj.target = {};
                  let et = event.target;
                  for (let i in et) {
                    try {
                      let itype = typeof (et[i]);
                      if (itype == "boolean" || itype == "number" || itype == "string") {
                        eventObj.target[i] = et[i];
                      }
                    } catch {}
                  }
                }
                let fullJSON = JSON.stringify({
                  position_id: positionID,
                  event_type: eventType,
                  capture: !!capture,
                  passive: !!passive,
                  event_summary: eventObj,
                });
                let encodeResultBuffer = textEncoder.encode(fullJSON);
                const dataSize = encodeResultBuffer.byteLength - encodeResultBuffer.byteOffset
                const requiredBufferSize = dataSize + 4
                const computeEventBufferSize = (requiredBufferSize) => {
                  const sixteen_kb = 16384
                  const actualRequired = requiredBufferSize + 1
                  const remainder = actualRequired % sixteen_kb
                  if (remainder === 0) {
                    return actualRequired - 1
                  }
                  return actualRequired + (sixteen_kb - remainder) - 1
                }
                let eventBuffer = state.eventBuffer;
                if (!eventBuffer || eventBuffer.length < requiredBufferSize) {
                  const eventBufferSize = computeEventBufferSize(requiredBufferSize)
                  eventBuffer = new Uint8Array(eventBufferSize);
                  state.eventBuffer = eventBuffer;
                  state.eventBufferView =
                    new DataView(eventBuffer.buffer, eventBuffer.byteOffset, eventBuffer.byteLength);
                }
                state.eventBuffer.set(encodeResultBuffer, 4); // copy encoded string to event buffer
                state.eventBufferView.setUint32(0, dataSize);
                state.eventHandlerFunc.call(null, eventBuffer);
                state.activeEvent = null;
              };
              emap[eventKey] = f;
              state.el.removeEventListener(eventType, f, {capture: capture, passive: passive});
            }
            state.el.addEventListener(eventType, f, {capture: capture, passive: passive});
            state.eventHandlerMap[positionID] = emap;
            break;
          }
          case opcodeSetCSSTag: {
            let elementName = decoder.readString();
            let textContent = decoder.readString();
            let attrPairsLen = decoder.readUint8();
            if (attrPairsLen % 2 != 0) {
              throw "attrPairsLen is odd number: " + attrPairsLen;
            }
            var attrMap = {};
            for (let i = 0; i < attrPairsLen; i += 2) {
              let key = decoder.readString();
              let val = decoder.readString();
              attrMap[key] = val;
            }
            state.elCSSTagsSet = state.elCSSTagsSet || [];
            let thisTagKey = textContent;
            if (elementName == "link") {
              thisTagKey = attrMap["href"];
            }
            if (thisTagKey == "") { // nothing to do in this case
              this.console.log("element", elementName, "ignored due to empty key");
              break;
            }
            let foundTag = null;
            this.document.querySelectorAll(elementName).forEach(cssEl => {
              let cssElKey;
              if (elementName == "style") {
                cssElKey = cssEl.textContent;
              } else  {
                cssElKey = cssEl.href;
              }
              if (thisTagKey == cssElKey) { // textContent or href as appropriate is used to determine "sameness"
                foundTag = cssEl;
              }
            });
            if (!foundTag) {
              let cTag = this.document.createElement(elementName);
              for (let k in attrMap) {
                cTag.setAttribute(k, attrMap[k]);
              }
              cTag.vuguCreated = true;
              if (textContent) {
                cTag.appendChild(document.createTextNode(textContent)) // set textContent if provided
              }
              this.document.head.appendChild(cTag); // add to end of head
              state.elCSSTagsSet.push(cTag); // add to elCSSTagsSet for use in opcodeRemoveOtherCSSTags
            } else {
              state.elCSSTagsSet.push(foundTag);
            }
            break;
          }
          case opcodeRemoveOtherCSSTags: {
            state.elCSSTagsSet = state.elCSSTagsSet || [];
            this.document.querySelectorAll('style,link').forEach(cssEl => {
              if (!cssEl.vuguCreated) {
                return;
              }
              if (state.elCSSTagsSet.findIndex(el => el == cssEl) >= 0) {
                return;
              }
              cssEl.parentNode.removeChild(cssEl);
            });
            state.elCSSTagsSet = null;
            break;
          }
          case opcodeCallbackLastElement: {
            let callbackID = decoder.readUint32();
            let el = state.el;
            if (!el) {
              throw "opcodeCallbackLastElement: no current reference";
            }
            state.callbackHandlerFunc(callbackID, el);
            break;
          }
          case opcodeCallback: {
            let callbackID = decoder.readUint32();
            state.callbackHandlerFunc(callbackID);
            break;
          }
          default: {
            console.error("found invalid opcode", opcode);
            return;
          }
        }
      } catch (e) {
        this.console.log("Error during instruction loop. Data opcode=", opcode,
          ", state.el=", state.el,
          ", state.nextElMove=", state.nextElMove,
          ", with error: ", e)
        throw e;
      }
    }
  }
})()
